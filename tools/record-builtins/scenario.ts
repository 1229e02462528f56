/** Scenarios, and short ways to write them. */

/** One request. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string;
  /** @default whatever the server likes */
  readonly accept?: string;
}

/** Requests that belong together. */
export interface Scenario {
  readonly name: string;
  /** What plugins must have seen before the steps: a real server learns of it a moment later. @default nothing */
  readonly setup?: readonly Step[];
  readonly steps: readonly Step[];
}

/** The requests about one resource. */
export interface Requests {
  create(body: object): Step;
  get(name: string): Step;
  update(name: string, body: object): Step;
  merge(name: string, patch: object): Step;
  remove(name: string, options?: object): Step;
  list(query: string): Step;
}

/** Requests about a resource at a path such as "/api/v1/namespaces/default/pods". */
export function at(path: string): Requests {
  const object = (name: string): string => `${path}/${name}`;
  return {
    create: (body) => ({ method: "POST", path, body }),
    get: (name) => ({ method: "GET", path: object(name) }),
    update: (name, body) => ({ method: "PUT", path: object(name), body }),
    merge: (name, body) => ({
      method: "PATCH",
      path: object(name),
      body,
      contentType: "application/merge-patch+json",
    }),
    remove: (name, body) => ({ method: "DELETE", path: object(name), ...(body === undefined ? {} : { body }) }),
    list: (query) => ({ method: "GET", path: `${path}?${query}` }),
  };
}

/** A scenario. */
export function scenario(name: string, ...steps: readonly Step[]): Scenario {
  return { name, steps };
}

/** One scenario per body: each is created, or refused. */
export function creates(requests: Requests, bodies: Readonly<Record<string, object>>): Scenario[] {
  return Object.entries(bodies).map(([name, body]) => scenario(name, requests.create(body)));
}
