/** A body that is made when somebody reads it: clients in the process take the value of most answers, and read none. */
export class LateBody implements AsyncIterable<Uint8Array> {
  readonly #make: () => string | Uint8Array;

  constructor(make: () => string | Uint8Array) {
    this.#make = make;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const body = this.#make();
    if (body.length > 0) yield typeof body === "string" ? Buffer.from(body) : body;
  }
}
