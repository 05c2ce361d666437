export function pageData(): DOMStringMap {
  return document.querySelector('main')?.dataset ?? {};
}
