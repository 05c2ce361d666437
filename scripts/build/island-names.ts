import { basename } from 'node:path';
import type { Plugin } from 'vite';

const island = /(?<!\/test)\/islands\/[^/]+\.tsx$/;
const component = /^export default function (\w+)/m;

/** Passes to `<Island of={…}>` the name and the chunk of each island that the Worker renders. */
export const islandNames: Plugin = {
  name: 'island-names',
  applyToEnvironment: ({ name, config }) => !(name === 'client' && config.command === 'build'),
  transform: {
    filter: { id: island },
    handler(code, id) {
      const name = basename(id, '.tsx');
      const [, of] = component.exec(code) ?? [];
      if (!of) throw new TypeError(`islands/${name}.tsx has no function as its default export`);
      const registered = `{ name: '${name}', src: __chunks['${name}'] ?? '' }`;
      return {
        code: [
          code,
          "import { chunks as __chunks } from 'virtual:client';",
          "import { nameIsland as __nameIsland } from './runtime/hydration/island.tsx';",
          `__nameIsland(${of}, ${registered});`,
        ].join('\n'),
        map: null,
      };
    },
  },
};
