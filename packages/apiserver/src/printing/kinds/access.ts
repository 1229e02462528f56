/** Rows of who may do what, and of what takes part in requests: bindings, certificates, webhooks, policies, priorities. */
import { formatAge } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { age, type KindPrinter, nameOf, printer } from "../columns.ts";
import { type Field, itemOfType, listAt, numberAt, objectAt, textAt, textsAt, valueAt } from "../fields.ts";

const bindingPrinter: KindPrinter = printer("Name|Role|Age|Users*|Groups*|ServiceAccounts*", (object, context) => [
  nameOf(object),
  `${textAt(object, "roleRef.kind")}/${textAt(object, "roleRef.name")}`,
  age(object, context),
  subjects(object, "User"),
  subjects(object, "Group"),
  subjects(object, "ServiceAccount"),
]);

const webhooksPrinter: KindPrinter = printer("Name|Webhooks:integer|Age", (object, context) => [
  nameOf(object),
  listAt(object, "webhooks").length,
  age(object, context),
]);

const policyBindingPrinter: KindPrinter = printer("Name|PolicyName|ParamRef|Age", (object, context) => [
  nameOf(object),
  textAt(object, "spec.policyName"),
  parameterReference(object),
  age(object, context),
]);

/** Printers by qualified resource name. */
export const accessPrinters: Readonly<Record<string, KindPrinter>> = {
  "rolebindings.rbac.authorization.k8s.io": bindingPrinter,
  "clusterrolebindings.rbac.authorization.k8s.io": bindingPrinter,
  "certificatesigningrequests.certificates.k8s.io": printer(
    "Name|Age|SignerName|Requestor|RequestedDuration|Condition",
    (object, context) => [
      nameOf(object),
      age(object, context),
      textAt(object, "spec.signerName", "<none>"),
      textAt(object, "spec.username"),
      valueAt(object, "spec.expirationSeconds") === undefined
        ? "<none>"
        : formatAge(numberAt(object, "spec.expirationSeconds") * 1000),
      requestCondition(object),
    ],
  ),
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": webhooksPrinter,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": webhooksPrinter,
  "validatingadmissionpolicies.admissionregistration.k8s.io": policyPrinter("Validations", "spec.validations"),
  "mutatingadmissionpolicies.admissionregistration.k8s.io": policyPrinter("Mutations", "spec.mutations"),
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": policyBindingPrinter,
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": policyBindingPrinter,
  "apiservices.apiregistration.k8s.io": printer("Name|Service|Available|Age", (object, context) => [
    nameOf(object),
    serviceOf(object),
    availability(object),
    age(object, context),
  ]),
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    ...printer("Name|PriorityLevel|MatchingPrecedence|DistinguisherMethod|Age|MissingPL", (object, context) => [
      nameOf(object),
      textAt(object, "spec.priorityLevelConfiguration.name"),
      precedence(object),
      textAt(object, "spec.distinguisherMethod.type", "<none>"),
      age(object, context),
      textAt(itemOfType(listAt(object, "status.conditions"), "Dangling"), "status", "?"),
    ]),
    compare: (left, right) => precedence(left) - precedence(right) || (nameOf(left) < nameOf(right) ? -1 : 1),
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": printer(
    "Name|Type|NominalConcurrencyShares|Queues|HandSize|QueueLengthLimit|Age",
    (object, context) => [
      nameOf(object),
      textAt(object, "spec.type"),
      limitCell(object, "nominalConcurrencyShares"),
      limitCell(object, "limitResponse.queuing.queues"),
      limitCell(object, "limitResponse.queuing.handSize"),
      limitCell(object, "limitResponse.queuing.queueLengthLimit"),
      age(object, context),
    ],
  ),
};

function policyPrinter(column: string, path: string): KindPrinter {
  return printer(`Name|${column}:integer|ParamKind|Age`, (object, context) => [
    nameOf(object),
    listAt(object, path).length,
    valueAt(object, "spec.paramKind") === undefined
      ? "<unset>"
      : `${textAt(object, "spec.paramKind.apiVersion")}/${textAt(object, "spec.paramKind.kind")}`,
    age(object, context),
  ]);
}

function subjects(binding: ApiObject, kind: string): string {
  return listAt(binding, "subjects")
    .filter((subject) => textAt(subject, "kind") === kind)
    .map((subject) => {
      const name = textAt(subject, "name");
      return kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}

function requestCondition(request: ApiObject): string {
  const types = new Set(listAt(request, "status.conditions").map((condition) => textAt(condition, "type")));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  const failed = types.has("Failed") ? ",Failed" : "";
  return `${decision}${failed}${textAt(request, "status.certificate") === "" ? "" : ",Issued"}`;
}

function parameterReference(binding: ApiObject): string {
  const name = textAt(binding, "spec.paramRef.name");
  if (name !== "") return `${textAt(binding, "spec.paramRef.namespace", "*")}/${name}`;
  const selector = valueAt(binding, "spec.paramRef.selector");
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** A selector as Go prints the struct: kube-apiserver shows it so. */
function goSelector(selector: Field): string {
  const labels = Object.entries(objectAt(selector, "matchLabels")).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const expressions = listAt(selector, "matchExpressions").map((expression) => {
    const values = textsAt(expression, "values").join(" ");
    const [key, operator] = [textAt(expression, "key"), textAt(expression, "operator")];
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values}],},`;
  });
  const map = labels.map(([key, value]) => `${key}: ${value},`).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

function serviceOf(apiService: ApiObject): string {
  if (valueAt(apiService, "spec.service") === undefined) return "Local";
  return `${textAt(apiService, "spec.service.namespace")}/${textAt(apiService, "spec.service.name")}`;
}

function availability(apiService: ApiObject): string {
  const available = itemOfType(listAt(apiService, "status.conditions"), "Available");
  const [status, reason] = [textAt(available, "status", "Unknown"), textAt(available, "reason")];
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}

function precedence(flowSchema: ApiObject): number {
  return numberAt(flowSchema, "spec.matchingPrecedence");
}

function limitCell(level: ApiObject, field: string): number | string {
  const value = valueAt(level, `spec.limited.${field}`);
  return typeof value === "number" ? value : "<none>";
}
