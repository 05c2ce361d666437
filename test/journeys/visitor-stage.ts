import { prepare, type Stage, type StoredState } from '../../scripts/gallery/visitor-states.ts';
import type { Visit } from './browser-session.ts';
import type { House } from './test-server.ts';

const known = new WeakMap<House, ReturnType<typeof prepare>>();

function carry({ stage, local, session }: StoredState & { stage: Stage }): void {
  // Once a tab: what the visitor does after that, such as signing in anew, must last.
  if (window !== top || sessionStorage.getItem('carried') === stage) return;
  sessionStorage.setItem('carried', stage);
  for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value);
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** Lets a visitor come as far as a stage without walking there; an account serves a whole house. */
export async function comeTo(stage: Stage, visitor: Visit, house: House): Promise<void> {
  const prepared = known.get(house) ?? prepare(house.url);
  known.set(house, prepared);
  prepared.catch(() => known.delete(house));
  await visitor.page.addInitScript(carry, { stage, ...(await prepared)[stage] });
}

/** Gives the next visitor new accounts, because the sessions of these have ended. */
export async function replaceAccounts(house: House): Promise<void> {
  known.delete(house);
  for (const email of ['anna@example.com', 'maria@example.com']) await house.forget(email);
}
