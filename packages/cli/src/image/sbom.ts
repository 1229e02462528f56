/** The bill of materials of an image: a CycloneDX document of the packages in the bundle. No times and no random ids. */
import type { BundledPackage } from "./bundle-operator.ts";

/** The document, as text. */
export function sbomOf(operator: BundledPackage, packages: readonly BundledPackage[]): string {
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component(operator, "application") },
    components: packages.map((each) => component(each, "library")),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function component({ name, version, license }: BundledPackage, type: "application" | "library"): object {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type,
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
  };
}
