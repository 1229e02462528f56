/** Random managedFields of a resource and of its scale subresource. */
import type { Json, JsonObject } from "@kubewright/core/meta";
import type { Dice } from "./dice.ts";
import type { OracleCase } from "./oracle-case.ts";

const managers = ["one", "two", "three"];

/** The entries of the parent, and those that a write through scale left. */
export function scaleCase(dice: Dice): OracleCase {
  const versions = ["apps/v1", "apps/v1", "apps/v2", "apps/v3", "apps/v9"];
  const parent = dice.some(managers, 0.7).map((manager) => entryOf(dice, manager, dice.pick(versions)));
  const scale = dice.some(managers, 0.6).map((manager) => entryOf(dice, manager, "autoscaling/v1"));
  return { kind: "scale", document: parent, patch: scale };
}

function entryOf(dice: Dice, manager: string, apiVersion: string): JsonObject {
  const fields: Json = Object.fromEntries(dice.some(["f:replicas", "f:size", "f:paused"], 0.6).map((key) => [key, {}]));
  return {
    manager,
    operation: dice.pick(["Apply", "Update"]),
    apiVersion,
    time: `2020-01-01T00:00:0${dice.below(3)}Z`,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": fields },
    ...(dice.chance(0.3) ? { subresource: "scale" } : {}),
  };
}
