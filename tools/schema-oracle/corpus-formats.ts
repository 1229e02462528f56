/** Right and wrong texts for every string format that Kubernetes checks. */
import type { Json } from "../../packages/core/src/meta/json.ts";
import type { StructuralSchema } from "../../packages/core/src/schema/structural.ts";
import type { SchemaCase } from "./case.ts";

const samples: Readonly<Record<string, readonly Json[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "zzzf1f77bcf86cd799439011"],
  uri: [
    "https://example.com/a?b=c#d",
    "/path",
    "path",
    "http://[::1]:80/",
    "http://a b/",
    "mailto:x@y.z",
    "http://a:x/",
    "http://%zz/",
    "*",
    "",
    "http://h/%zz",
  ],
  email: ["a@b.c", "A B <a@b.c>", '"q s"@b', "a@", "@b", "a b@c", "a..b@c", "a@b..c", "<a@b>"],
  hostname: ["example.com", "a", "-a", "a_b", "1.2.3.4", "é.com", `${"a".repeat(64)}.com`, "a-b.c-d.ef", "a."],
  ipv4: ["1.2.3.4", "01.2.3.4", "1.2.3", "256.1.1.1", "::ffff:1.2.3.4", "::1"],
  ipv6: ["::1", "1::2::3", "fe80::1%eth0", "1.2.3.4", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "::ffff:1.2.3.4", "12345::"],
  cidr: ["10.0.0.0/8", "10.0.0.1/33", "10.0.0.0", "::/0", "::/129", "010.0.0.0/8", "10.0.0.0/08"],
  mac: ["00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455", "00:11:22:33:44", "00:11-22:33:44:55"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "x"],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-7456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174000"],
  isbn: ["0321751043", "978-0321751041", "123"],
  isbn10: ["0321751043", "0321751044", "978-0321751041"],
  isbn13: ["978-0321751041", "978-0321751042"],
  creditcard: ["4111 1111 1111 1111", "4111 1111 1111 1112", "5500-0000-0000-0004"],
  ssn: ["111-22-3333", "111223333", "111 22 3333"],
  hexcolor: ["#FFF", "FFFFFF", "#FFFF"],
  rgbcolor: ["rgb(255,0,10)", "rgb(256,0,0)", "rgb( 1 , 2 , 3 )"],
  byte: ["aGVsbG8=", "aGVsbG8", "", "aGVsbG8-"],
  password: ["anything"],
  date: ["2024-02-29", "2023-02-29", "2023-2-1", "2023-13-01"],
  duration: ["1h30m", "22 ns", "3 days", "1x", "", "-1.5h", "0", "5 weeks 2 hours"],
  "date-time": [
    "2024-02-29T12:30:00Z",
    "2024-02-29t12:30:00.5+01:00",
    "2024-02-29 12:30:00Z",
    "2024-02-29T24:00:00Z",
    "2024-02-29T12:30:60Z",
    "2024-02-29T12:30:00",
  ],
  datetime: ["2024-02-29T12:30:00Z", "nope"],
  "k8s-short-name": ["a-b", "a.b", "A", "-a", "a".repeat(64)],
  "k8s-long-name": ["a-b.c", "a..b", "A.b", "a".repeat(254)],
  unknown: ["anything"],
};

/** One case per sample, and what formats do to values that are no texts. */
export function formatCases(value: (name: string, schema: StructuralSchema, v: Json) => SchemaCase): SchemaCase[] {
  const texts = Object.entries(samples).flatMap(([format, list]) =>
    list.map((text) => value(`${format} ${JSON.stringify(text)}`, { type: "string", format }, text)),
  );
  return [
    ...texts,
    value("number for date", { type: "string", format: "date" }, 5),
    value("list for date", { type: "string", format: "date" }, []),
    value("fraction for date", { type: "string", format: "date" }, 1.5),
    value("object for date", { type: "string", format: "date" }, {}),
    value("format without type", { "x-kubernetes-int-or-string": true, format: "ipv4" }, "x"),
  ];
}
