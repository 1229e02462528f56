/** The RBAC authorizer: allowed when any rule of any role bound to the user allows it. */
import { type AuthorizationDecision, type Authorize, PRIVILEGED_GROUP } from "../authorization.ts";
import { ruleAllows } from "./policy-rule.ts";
import type { RuleIndex } from "./rule-index.ts";

/** Makes the authorizer of a rule index. Members of system:masters need no rules. */
export function createRbacAuthorize(index: RuleIndex): Authorize {
  return (attributes): AuthorizationDecision => {
    const { user } = attributes;
    if (user.groups.includes(PRIVILEGED_GROUP)) return { allowed: true, reason: "" };
    const missing = new Set<string>();
    for (const grant of index.grantsOf(user, attributes.isResource ? attributes.namespace : "")) {
      if (grant.rule === undefined) missing.add(grant.missing);
      else if (ruleAllows(grant.rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${grant.source}` };
    }
    return { allowed: false, reason: describeMissing([...missing]) };
  };
}

function describeMissing(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  return missing.length === 1 ? `RBAC: ${missing[0]}` : `RBAC: [${missing.join(", ")}]`;
}
