import { pageData } from './page-data.ts';
import { policy } from './trusted-types.ts';

function allowScriptUrl(address: string): string | null {
  const { origin, hostname } = new URL(address, document.baseURI);
  const hosts = pageData().scripts?.split(' ') ?? [];
  const known = hosts.some(
    (host) => host === hostname || (host[0] === '*' && hostname.endsWith(host.slice(1))),
  );
  return known || origin === location.origin ? address : null;
}

function allowJson(text: string): string | null {
  try {
    return pageData().kind === 'payment' && JSON.parse(text) ? text : null;
  } catch {
    return null; // Not JSON, which is refused.
  }
}

/** For the vendors' scripts, which islands load. */
policy('default', { createScriptURL: allowScriptUrl, createScript: allowJson });
