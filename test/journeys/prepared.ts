import { type Belongings, prepare, type Stage } from '../../scripts/gallery/visitors.ts';
import type { House } from './house.ts';
import type { Visit } from './visit.ts';

const known = new WeakMap<House, ReturnType<typeof prepare>>();

function carry({ local, session }: Belongings): void {
  if (window !== top) return;
  for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value);
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** Lets a visitor come as far as a stage without walking there; an account serves a whole house. */
export async function comeTo(stage: Stage, visitor: Visit, house: House): Promise<void> {
  const prepared = known.get(house) ?? prepare(house.url);
  known.set(house, prepared);
  prepared.catch(() => known.delete(house));
  await visitor.page.addInitScript(carry, (await prepared)[stage]);
}
