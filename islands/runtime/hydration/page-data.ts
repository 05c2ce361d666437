/**
 * What the server wrote on `<main>` about the screen that is shown: `screen`, `kind`, `terms`, `plans`, `next`,
 * `nextKind`, `entry`, `first`, `checkout`, `landingType`, `storage`, `scripts`, `pixels`, `test`.
 */
export function pageData(): DOMStringMap {
  return document.querySelector('main')?.dataset ?? {};
}
