import { pageData } from './page-data.ts';

/** The only file that turns text into HTML or script. */
interface Rules {
  createHTML?: (text: string) => string;
  createScript?: (text: string) => string | null;
  createScriptURL?: (address: string) => string | null;
}

type Made = (name: string, rules: Rules) => void;

function policy<Own extends Rules>(name: string, rules: Own): Own {
  try {
    const { trustedTypes } = window as { trustedTypes?: { createPolicy: Made } };
    return (trustedTypes?.createPolicy(name, rules) as Own | undefined) ?? rules;
  } catch {
    return rules;
  }
}

function admit(address: string): string | null {
  const { origin, hostname } = new URL(address, document.baseURI);
  const hosts = pageData().scripts?.split(' ') ?? [];
  const known = hosts.some(
    (host) => host === hostname || (host[0] === '*' && hostname.endsWith(host.slice(1))),
  );
  return known || origin === location.origin ? address : null;
}

function data(text: string): string | null {
  try {
    return pageData().kind === 'payment' && JSON.parse(text) ? text : null;
  } catch {
    return null;
  }
}

const funnel = policy('funnel', {
  createHTML: (text: string) => text,
  createScript: (text: string) => text,
});

policy('default', { createScriptURL: admit, createScript: data });

export const documentOf = (html: string): Document =>
  new DOMParser().parseFromString(funnel.createHTML(html), 'text/html');

export function putBack(element: Element, html: string): void {
  element.innerHTML = funnel.createHTML(html);
}

export function rulesFor(address: string): HTMLScriptElement {
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  const prefetch = [{ urls: [address], eagerness: 'immediate' }];
  rules.text = funnel.createScript(JSON.stringify({ prefetch }));
  return rules;
}
