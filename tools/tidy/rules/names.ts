/** A file is named after the concept it holds; a name that fits anything collects everything. */
import type { Rule } from "../repository.ts";

const CATCH_ALL = /(?:^|\/)(?:utils?|helpers?|common|misc|types|shared)(?:\.test)?(?:\.ts$|\/)/;

/** The rule about file and folder names. */
export const names: Rule = {
  name: "name",
  *check(repository) {
    for (const { path } of repository.files.filter((file) => !file.isGenerated)) {
      const [found] = path.match(CATCH_ALL) ?? [];
      if (found === undefined) continue;
      yield {
        path,
        line: 1,
        message: `"${found.replaceAll("/", "")}" says nothing; name the file or folder after its main export or concept`,
      };
    }
  },
};
