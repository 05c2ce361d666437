import { type Call, ok, Refused, refused } from './reply.ts';
import { CloudflareState } from './state.ts';
import { storageRoutes } from './storage.ts';
import { workerRoutes } from './workers.ts';

export const account = 'acc1';
export const token = 'cf_fake';

type Handler = (call: Call) => Response | Promise<Response>;

function match(pattern: string, path: string): { a: string; b: string } | null {
  const [steps, parts] = [pattern.split('/'), path.split('/')];
  if (steps.length !== parts.length) return null;
  const found: Record<string, string> = { a: '', b: '' };
  for (const [at, step] of steps.entries()) {
    const part = decodeURIComponent(parts[at] ?? '');
    if (step.startsWith(':')) found[step.slice(1)] = part;
    else if (step !== part) return null;
  }
  return found as { a: string; b: string };
}

/** The part of Cloudflare's management API that `npm run deploy` and wrangler call. */
export function createCloudflare() {
  const state = new CloudflareState();
  const routes: Record<string, Handler> = {
    ...storageRoutes(state),
    ...workerRoutes(state),
    'GET /user': () => ok({ id: 'u1', email: 'owner@funnel.example' }),
    'GET /memberships': () => ok([{ account: { id: account, name: 'Funnel' } }]),
  };
  const unknown: string[] = [];

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (request.headers.get('authorization') !== `Bearer ${token}`) {
      return refused(new Refused(403, 10000, 'Authentication error'));
    }
    const path = url.pathname.replace(/^\/client\/v4/, '').replace(`/accounts/${account}`, '');
    for (const [route, handle] of Object.entries(routes)) {
      const [method = '', pattern = ''] = route.split(' ');
      const found = method === request.method && match(pattern, path);
      if (!found) continue;
      return handle({
        ...found,
        url,
        json: <T>() => request.json() as Promise<T>,
        text: () => request.text(),
        form: () => request.formData(),
      });
    }
    unknown.push(`${request.method} ${path}`);
    return refused(new Refused(501, 1, `no route for ${request.method} ${path}`));
  }

  return {
    state,
    /** Calls that the fake does not implement. */
    unknown,
    fetch: async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      try {
        return await answer(request);
      } catch (error) {
        if (error instanceof Refused) return refused(error);
        throw error;
      }
    },
  };
}
