import { whenIdle } from './when-idle.ts';

const seen = (island: Element) =>
  new Promise<void>((done) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        done();
      },
      { rootMargin: '200px' },
    );
    // The island itself has no box (`display: contents`).
    for (const child of island.children) observer.observe(child);
  });

export const triggers: Record<string, (island: Element) => Promise<void>> = {
  load: () => Promise.resolve(),
  idle: whenIdle,
  visible: seen,
  interaction: () => new Promise(() => {}),
};
