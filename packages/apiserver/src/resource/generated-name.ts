/** Names that the server makes: of objects that ask for one, and of what it adds to pods. */
import type { Random } from "@kubewright/core/ports";

const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const NAME_RANDOM_LENGTH = 5;
const NAME_BASE_LENGTH_MAX = 63 - NAME_RANDOM_LENGTH;

/** `base` and five random characters, as long as a DNS label may be. */
export function generatedName(base: string, random: Random): string {
  let name = base.slice(0, NAME_BASE_LENGTH_MAX);
  for (let count = 0; count < NAME_RANDOM_LENGTH; count++) {
    name += NAME_ALPHABET[Math.floor(random.next() * NAME_ALPHABET.length)];
  }
  return name;
}
