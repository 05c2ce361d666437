import { chunks } from 'virtual:client';
import { nameIsland } from './island.tsx';

const modules = import.meta.glob<{ default: unknown }>('../../*.tsx', { eager: true });
for (const [path, island] of Object.entries(modules)) {
  const name = path.slice('../../'.length, -'.tsx'.length);
  nameIsland(island.default, { name, src: chunks[name] ?? '' });
}
