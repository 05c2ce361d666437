import { pageData } from './page-data.ts';

/** All that makes HTML or script of text stands in this file. */
interface Rules {
  createHTML?: (text: string) => string;
  createScript?: (text: string) => string | null;
  createScriptURL?: (address: string) => string | null;
}

type Made = (name: string, rules: Rules) => void;

/** Makes a Trusted Types policy. A browser without them, or a name that is taken, leaves the rules. */
function policy<Own extends Rules>(name: string, rules: Own): Own {
  try {
    const { trustedTypes } = window as { trustedTypes?: { createPolicy: Made } };
    return (trustedTypes?.createPolicy(name, rules) as Own | undefined) ?? rules;
  } catch {
    return rules;
  }
}

/** The address of a script when it is ours, or of a host that the page names; else null. */
function admit(address: string): string | null {
  const { origin, hostname } = new URL(address, document.baseURI);
  const hosts = pageData().scripts?.split(' ') ?? [];
  const known = hosts.some(
    (host) => host === hostname || (host[0] === '*' && hostname.endsWith(host.slice(1))),
  );
  return known || origin === location.origin ? address : null;
}

/** Data that a payment provider keeps in a script element (PayPal's FraudNet does): no browser runs JSON. */
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

/** A page of ours, from its HTML. */
export const documentOf = (html: string): Document =>
  new DOMParser().parseFromString(funnel.createHTML(html), 'text/html');

/** Gives an element back the HTML that it came with. */
export function putBack(element: Element, html: string): void {
  element.innerHTML = funnel.createHTML(html);
}

/** Speculation rules that have the browser fetch a document. */
export function rulesFor(address: string): HTMLScriptElement {
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  const prefetch = [{ urls: [address], eagerness: 'immediate' }];
  rules.text = funnel.createScript(JSON.stringify({ prefetch }));
  return rules;
}
