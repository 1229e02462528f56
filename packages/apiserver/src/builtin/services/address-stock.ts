/**
 * The addresses and ports that Services share: which are taken, by what is stored and by writes under way. Follows the
 * stored IPAddresses and Services, so whatever removes one frees what it had. One per server.
 */
import { decodeObject } from "../../resource/object.ts";
import type { Storage, StoredEntry } from "../../storage/storage.ts";
import { IP_ADDRESSES } from "./ip-addresses.ts";
import { type Allocations, allocationsOf } from "./service-fields.ts";

const RESOURCE = "services";
const NODE_PORT_MIN = 30_000;
const NODE_PORT_MAX = 32_767;
/** Ports and addresses below these are handed out last: people choose from them. */
const NODE_PORT_DYNAMIC_MIN = 30_086;
const ADDRESS_DYNAMIC_MIN = 17;
const ADDRESS_HOST_MAX = 254;

/** Cluster addresses are those of 10.0.0.0/24. */
const ADDRESS_PREFIX = "10.0.0.";

/** Why the stock refuses. */
export type Refusal = "taken" | "out of range" | "empty";

/** The stock of one server. */
export class AddressStock {
  readonly #addresses = new Map<string, number>();
  readonly #ports = new Map<number, number>();
  #nextHost = ADDRESS_DYNAMIC_MIN;
  #nextPort = NODE_PORT_DYNAMIC_MIN;

  constructor(storage: Storage) {
    for (const entry of storage.list(RESOURCE, {})?.entries ?? []) this.#countPorts(entry, 1);
    storage.watch(RESOURCE, storage.revision, ({ type, entry, previous }) => {
      if (previous !== undefined) this.#countPorts(previous, -1);
      if (type !== "deleted") this.#countPorts(entry, 1);
    });
    for (const { key } of storage.list(IP_ADDRESSES, {})?.entries ?? []) addTo(this.#addresses, key, 1);
    storage.watch(IP_ADDRESSES, storage.revision, ({ type, entry }) => {
      if (type !== "updated") addTo(this.#addresses, entry.key, type === "created" ? 1 : -1);
    });
  }

  /** Takes this very address; undefined when it could be taken. */
  takeAddress(address: string): Refusal | undefined {
    const host = address.startsWith(ADDRESS_PREFIX) ? Number(address.slice(ADDRESS_PREFIX.length)) : 0;
    if (!Number.isInteger(host) || host < 1 || host > ADDRESS_HOST_MAX) return "out of range";
    if (this.#addresses.has(address)) return "taken";
    this.#addresses.set(address, 1);
    return undefined;
  }

  /** Takes any free address. */
  takeAnyAddress(): string | undefined {
    for (let tries = 0; tries < ADDRESS_HOST_MAX; tries++) {
      const address = `${ADDRESS_PREFIX}${this.#nextHost}`;
      this.#nextHost = (this.#nextHost % ADDRESS_HOST_MAX) + 1;
      if (this.takeAddress(address) === undefined) return address;
    }
    return undefined;
  }

  /** Takes this very port; undefined when it could be taken. */
  takePort(port: number): Refusal | undefined {
    if (port < NODE_PORT_MIN || port > NODE_PORT_MAX) return "out of range";
    if (this.#ports.has(port)) return "taken";
    this.#ports.set(port, 1);
    return undefined;
  }

  /** Takes any free port. */
  takeAnyPort(): number | undefined {
    for (let tries = NODE_PORT_MIN; tries <= NODE_PORT_MAX; tries++) {
      const port = this.#nextPort;
      this.#nextPort = port === NODE_PORT_MAX ? NODE_PORT_MIN : port + 1;
      if (this.takePort(port) === undefined) return port;
    }
    return undefined;
  }

  /** Gives back what a write took; what it stored is counted on its own. */
  giveBack({ addresses, ports }: Allocations): void {
    for (const address of addresses) addTo(this.#addresses, address, -1);
    for (const port of ports) addTo(this.#ports, port, -1);
  }

  #countPorts({ text }: StoredEntry, change: number): void {
    for (const port of allocationsOf(decodeObject(text)).ports) addTo(this.#ports, port, change);
  }
}

function addTo<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** The range of node ports, as Kubernetes writes it. */
export const NODE_PORT_RANGE: string = `${NODE_PORT_MIN}-${NODE_PORT_MAX}`;
