/** All contract cases. */
import { accessCases } from "./access.ts";
import { admissionCases } from "./admission.ts";
import { bodyCases } from "./bodies.ts";
import { builtInKindCases } from "./built-in-kinds.ts";
import type { ContractCase } from "./case.ts";
import { conversionCases } from "./conversion.ts";
import { customResourceCases } from "./custom-resources.ts";
import { deletionCases } from "./deletion.ts";
import { formCases } from "./forms.ts";
import { listWatchCases } from "./list-watch.ts";
import { metadataCases } from "./metadata.ts";
import { objectCases } from "./objects-crud.ts";
import { ownershipCases } from "./ownership.ts";
import { plainDataCases } from "./plain-data.ts";
import { podSubresourceCases } from "./pod-subresources.ts";
import { policyCases } from "./policies.ts";
import { protobufCases } from "./protobuf.ts";
import { refusalCases } from "./refusals.ts";
import { scaleCases } from "./scale.ts";
import { webhookSubresourceCases } from "./webhook-subresources.ts";
import { webhookCases } from "./webhooks.ts";

/** The whole suite. */
export const contractCases: readonly ContractCase[] = [
  ...objectCases,
  ...listWatchCases,
  ...customResourceCases,
  ...conversionCases,
  ...refusalCases,
  ...bodyCases,
  ...metadataCases,
  ...builtInKindCases,
  ...plainDataCases,
  ...deletionCases,
  ...formCases,
  ...ownershipCases,
  ...scaleCases,
  ...podSubresourceCases,
  ...protobufCases,
  ...accessCases,
  ...webhookCases,
  ...webhookSubresourceCases,
  ...admissionCases,
  ...policyCases,
];
