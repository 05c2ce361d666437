import { prepareStages, type Stage, type StoredState } from '../../scripts/gallery/shots.ts';
import type { Visit } from './browser-session.ts';
import type { TestServer } from './test-server.ts';

/** Before their sessions end, which last an hour (`worker/accounts/access-token.ts`). */
const freshMs = 40 * 60_000;

const known = new WeakMap<TestServer, { at: number; states: ReturnType<typeof prepareStages> }>();

function restoreStorage({ stage, local, session }: StoredState & { stage: Stage }): void {
  // Once per tab, so that later changes such as a new sign-in are kept.
  if (window !== top || sessionStorage.getItem('carried') === stage) return;
  sessionStorage.setItem('carried', stage);
  for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value);
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** Puts a visitor at a stage without walking there; accounts are shared per server. */
export async function reachStage(stage: Stage, visitor: Visit, server: TestServer): Promise<void> {
  const before = known.get(server);
  if (before && Date.now() - before.at > freshMs) await replaceAccounts(server);
  const prepared = known.get(server) ?? { at: Date.now(), states: prepareStages(server.url) };
  known.set(server, prepared);
  prepared.states.catch(() => known.delete(server));
  await visitor.page.addInitScript(restoreStorage, { stage, ...(await prepared.states)[stage] });
}

/** Creates new accounts after sessions have ended. */
export async function replaceAccounts(server: TestServer): Promise<void> {
  known.delete(server);
  for (const email of ['anna@example.com', 'maria@example.com']) await server.forget(email);
}
