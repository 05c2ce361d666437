import type { MapStore } from 'nanostores';
import { readSlice, writeSlice } from './state-storage.ts';
import { connectStore } from './update-slice.ts';

export function persist<Fields extends object>(slice: string, $store: MapStore<Fields>): void {
  connectStore(slice, (fields) => $store.set({ ...$store.get(), ...fields }));
  if (typeof document === 'undefined') return;
  const { at: _at, ...stored } = readSlice(slice);
  $store.set({ ...$store.get(), ...stored });
  $store.listen((fields) => writeSlice(slice, { ...fields }));
}
