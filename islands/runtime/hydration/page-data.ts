/**
 * The server's data on `<main>`: `screen`, `kind`, `terms`, `plans`, `next`, `nextKind`, `entry`,
 * `first`, `checkout`, `landingType`, `storage`, `scripts`, `pixels`, `test`.
 */
export function pageData(): DOMStringMap {
  return document.querySelector('main')?.dataset ?? {};
}
