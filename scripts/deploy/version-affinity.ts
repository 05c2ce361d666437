import { CommandError } from '../command.ts';
import { type Cloudflare, CloudflareError } from './cloudflare-api.ts';

const phase = 'http_request_late_transform';
const ref = 'funnel_version_affinity';

interface Rule {
  id?: string;
  ref?: string;
  expression: string;
  description: string;
  action: 'rewrite';
  action_parameters: {
    headers: Record<string, { operation: 'set'; expression: string }>;
  };
}

interface Ruleset {
  id: string;
  rules?: Rule[];
}

/**
 * Requests with the same key get the same version (developers.cloudflare.com/workers,
 * versions-and-deployments/gradual-deployments/version-affinity). A browser cannot set a header on a page request,
 * so the zone does. The key must be the same for a visitor's first page and that page's scripts, so it cannot be a
 * cookie, which the first request lacks.
 */
const ruleFor = (host: string): Rule => ({
  ref,
  description: 'The same version of the funnel for all requests of a visitor',
  expression: `http.host eq "${host}"`,
  action: 'rewrite',
  action_parameters: {
    headers: {
      'Cloudflare-Workers-Version-Key': {
        operation: 'set',
        expression: 'concat(to_string(ip.src), http.user_agent)',
      },
    },
  },
});

const contentOf = ({ expression, action_parameters }: Rule) =>
  JSON.stringify([expression, action_parameters]);

async function zoneOf(api: Cloudflare, host: string): Promise<string> {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const [zone] = await api.list<{ id: string }>(`/zones?name=${name}`);
    if (zone) return zone.id;
  }
  throw new CommandError(
    `${host} is not in a zone of this account, which a staged rollout requires.`,
  );
}

const denied = `This login may not write the transform rule that keeps a visitor on one version.
Create an API token with the permissions of the Edit Cloudflare Workers template plus D1 Edit, Queues Edit
and Zone > Transform Rules > Edit, and set it as CLOUDFLARE_API_TOKEN.`;

/** Makes a visitor stay on one version. @throws CommandError when that is impossible */
export async function ensureAffinity(api: Cloudflare, site: string): Promise<void> {
  const host = new URL(site).hostname;
  if (host.endsWith('.workers.dev')) {
    throw new CommandError(
      'A staged rollout needs a domain of your own (SITE_URL): on workers.dev a visitor would change versions.',
    );
  }
  try {
    const zone = await zoneOf(api, host);
    const entry = `/zones/${zone}/rulesets/phases/${phase}/entrypoint`;
    const ruleset = await api.find<Ruleset>(entry);
    const rule = ruleFor(host);
    const others = (ruleset?.rules ?? []).filter((each) => each.ref !== ref);
    const ours = ruleset?.rules?.find((each) => each.ref === ref);
    if (ours && contentOf(ours) === contentOf(rule)) return;
    await api.send('PUT', entry, { rules: [...others, rule] });
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 403) throw new CommandError(denied);
    throw error;
  }
}
