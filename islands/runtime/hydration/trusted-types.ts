interface Rules {
  createHTML?: (text: string) => string;
  createScript?: (text: string) => string | null;
  createScriptURL?: (address: string) => string | null;
}

type CreatePolicy = (name: string, rules: Rules) => void;

/** Only this file and `default-policy.ts` turn text into HTML or script. */
export function policy<Own extends Rules>(name: string, rules: Own): Own {
  try {
    const { trustedTypes } = window as { trustedTypes?: { createPolicy: CreatePolicy } };
    return (trustedTypes?.createPolicy(name, rules) as Own | undefined) ?? rules;
  } catch {
    return rules; // An extension may have taken the name.
  }
}

const funnel = policy('funnel', {
  createHTML: (text: string) => text,
  createScript: (text: string) => text,
});

export const documentOf = (html: string): Document =>
  new DOMParser().parseFromString(funnel.createHTML(html), 'text/html');

export function setHtml(element: Element, html: string): void {
  element.innerHTML = funnel.createHTML(html);
}

export function rulesFor(action: 'prefetch' | 'prerender', address: string): HTMLScriptElement {
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  const list = [{ urls: [address], eagerness: 'immediate' }];
  rules.text = funnel.createScript(JSON.stringify({ [action]: list }));
  return rules;
}
