/**
 * What names may look like: of projects, domains, groups, versions and kinds. They become names in a cluster, paths on
 * disk and identifiers in code, so everything that is no plain name is refused before anything is written.
 */

/** Leaves room for what is appended: the longest name in a cluster has 63 characters. */
const PROJECT_NAME_MAX = 40;
const LABEL_MAX = 63;
const SUBDOMAIN_MAX = 253;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const VERSION = /^v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?$/;
const KIND = /^[A-Z][A-Za-z0-9]*$/;
const IMAGE = /^[a-zA-Z0-9][\w.:/-]*(?:@sha256:[0-9a-f]{64})?$/;

/** What is wrong with a project's name; undefined when nothing is. */
export function projectNameProblem(name: string): string | undefined {
  if (LABEL.test(name) && name.length <= PROJECT_NAME_MAX) return undefined;
  return `the project name ${quote(name)} must be lower-case letters, digits and "-", start and end with a letter or digit, and have at most ${PROJECT_NAME_MAX} characters`;
}

/** What is wrong with a domain. */
export function domainProblem(domain: string): string | undefined {
  if (SUBDOMAIN.test(domain) && domain.length <= SUBDOMAIN_MAX) return undefined;
  return `the domain ${quote(domain)} must be a DNS name in lower case, like example.com`;
}

/** What is wrong with a short group; the domain is appended to it. */
export function groupProblem(group: string, domain: string): string | undefined {
  if (SUBDOMAIN.test(group) && `${group}.${domain}`.length <= SUBDOMAIN_MAX) return undefined;
  return `the group ${quote(group)} must be lower-case letters, digits and "-", like cache; the domain ${domain} is added to it`;
}

/** What is wrong with a version. */
export function versionProblem(version: string): string | undefined {
  if (VERSION.test(version)) return undefined;
  return `the version ${quote(version)} must look like v1, v1beta1 or v1alpha1`;
}

/** What is wrong with a kind. */
export function kindProblem(kind: string): string | undefined {
  if (KIND.test(kind) && kind.length <= LABEL_MAX) return undefined;
  return `the kind ${quote(kind)} must start with an upper-case letter and have only letters and digits, like Memcached`;
}

/** What is wrong with a DNS label: a namespace, a plural. */
export function labelProblem(what: string, label: string): string | undefined {
  if (LABEL.test(label) && label.length <= LABEL_MAX) return undefined;
  return `${what} ${quote(label)} must be lower-case letters, digits and "-", and have at most ${LABEL_MAX} characters`;
}

/** What is wrong with the name of an image. */
export function imageProblem(image: string): string | undefined {
  if (IMAGE.test(image)) return undefined;
  return `the image ${quote(image)} must look like registry.example.com/team/name:tag`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
