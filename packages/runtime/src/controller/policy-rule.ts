/** Rules of RBAC, as controllers state them and `rbacRules` answers with them. */

/** A rule of a Role, with groups named shortly. */
export interface PolicyRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}
