import assert from "node:assert/strict";
import { test } from "node:test";
import { importZodAsNamespace } from "./bundle-plugins.ts";

for (const [before, after] of [
  ['import { z } from "zod";', 'import * as z from "zod";'],
  ["import { z } from 'zod'", 'import * as z from "zod"'],
  ['import z from "zod";', 'import * as z from "zod";'],
  ['import { z as schema } from "zod";', 'import * as schema from "zod";'],
  ['import {\n  type ZodType,\n  z,\n} from "zod";', 'import * as z from "zod"; import { type ZodType } from "zod";'],
  ['a;\nimport { z } from "zod";\nb;', 'a;\nimport * as z from "zod";\nb;'],
] as const) {
  test(`${JSON.stringify(before)} imports a namespace`, () => {
    assert.equal(importZodAsNamespace(before), after);
  });
}

for (const text of [
  'import * as z from "zod";',
  'import { ZodError, type z } from "zod";',
  'import type { z } from "zod";',
  'import { z } from "zod/mini";',
  '// import { z } from "zod";',
]) {
  test(`${JSON.stringify(text)} stays as it is`, () => {
    assert.equal(importZodAsNamespace(text), text);
  });
}
