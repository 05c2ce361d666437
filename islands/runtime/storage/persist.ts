import type { MapStore } from 'nanostores';
import { readSlice, writeSlice } from './state-storage.ts';

export function persist<Fields extends object>(slice: string, $store: MapStore<Fields>): void {
  if (typeof document === 'undefined') return;
  const { at: _at, ...kept } = readSlice(slice);
  $store.set({ ...$store.get(), ...kept });
  $store.listen((fields) => writeSlice(slice, { ...fields }));
}
