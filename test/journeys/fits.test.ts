import { expect } from 'vitest';
import { shotsOf } from '../../scripts/gallery/shots.ts';
import type { Stage } from '../../scripts/gallery/visitors.ts';
import { clippedOn } from './clipped.ts';
import { journey } from './journey.ts';
import { comeTo } from './prepared.ts';

const shots = Map.groupBy(
  shotsOf([]).filter(({ name }) => !name.includes('-')),
  ({ stage }) => stage,
);

journey('nothing is cut or pushes sideways at 320 px', async ({ another, house }) => {
  for (const [stage, group] of shots as Map<Stage, ReturnType<typeof shotsOf>>) {
    const visitor = await another({ viewport: { width: 320, height: 640 } });
    visitor.expects(/nowhere/, 404);
    await comeTo(stage, visitor, house);
    for (const { path } of group) {
      await visitor.open(path);
      expect([path, await clippedOn(visitor.page)]).toEqual([path, []]);
    }
  }
});

journey('nothing is cut or pushes sideways where text is twice as large', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  visitor.expects(/nowhere/, 404);
  for (const { path } of [...shots.values()].flat()) {
    await visitor.open(path);
    const size = await visitor.page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      return getComputedStyle(document.body).fontSize;
    });
    expect(size).toBe('32px');
    expect([path, await clippedOn(visitor.page)]).toEqual([path, []]);
  }
});
