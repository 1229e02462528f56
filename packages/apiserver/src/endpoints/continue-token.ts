/** Continue tokens of paged lists: which revision the pages show and where the next one starts. */
import { isJsonObject, parseJson } from "@kubewright/core/meta";
import { ApiError, badRequest, expired } from "@kubewright/core/protocol";

/** Where a list goes on. */
export interface ContinueToken {
  /** The revision of all pages; -1 for whatever is current. */
  readonly revision: number;
  /** The first key of the next page. */
  readonly start: string;
}

/** The opaque text of a token. */
export function formatContinueToken({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");
}

/** The token of a text. Throws a 400. */
export function parseContinueToken(text: string): ContinueToken {
  const value = decode(text);
  if (!isJsonObject(value) || value["v"] !== "meta.k8s.io/v1") {
    const version = isJsonObject(value) ? String(value["v"] ?? "") : "";
    throw invalidToken(`server does not recognize this encoded version ${version}`);
  }
  const { rv: revision, start } = value;
  if (typeof revision !== "number" || revision === 0) {
    throw invalidToken("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (typeof start !== "string" || start === "" || start.includes("..")) {
    throw invalidToken("encoded start key empty (version meta.k8s.io/v1)");
  }
  return { revision, start };
}

/** 410 for a list whose revision is gone; its metadata has a token that goes on with what is current. */
export function expiredContinueError(start: string): ApiError {
  const { status } = expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
      "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing " +
      "with the provided token results in an inconsistent list - objects that were created, modified, or deleted between " +
      "the time the first chunk was returned and now may show up in the list.",
  );
  return new ApiError({ ...status, metadata: { continue: formatContinueToken({ revision: -1, start }) } });
}

function decode(text: string): unknown {
  const wrong = text.search(/[^\w-]/);
  const isCut = text.length % 4 === 1; // Four characters stand for three bytes; one alone for none.
  if (wrong >= 0 || isCut)
    throw invalidToken(`illegal base64 data at input byte ${wrong >= 0 ? wrong : text.length - 1}`);
  try {
    return parseJson(Buffer.from(text, "base64url"));
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
}

function invalidToken(why: string): ApiError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
