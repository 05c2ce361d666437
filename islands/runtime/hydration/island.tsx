import { type ComponentType, createElement, type ReactElement } from 'react';

/** When an island is hydrated; never before the largest contentful paint, unless the visitor touches it. */
export type When = 'load' | 'idle' | 'visible' | 'interaction';

export type Json<Props> = Props extends string | number | boolean | null | undefined
  ? Props
  : Props extends ((...args: never[]) => unknown) | symbol | bigint
    ? never
    : Props extends object
      ? { [Key in keyof Props]: Json<Props[Key]> }
      : never;

interface Known {
  name: string;
  src: string;
}

const islands = new Map<unknown, Known>();

export function nameIsland(component: unknown, known: Known): void {
  islands.set(component, known);
}

export function Island<Props extends object>({
  of,
  when,
  ...props
}: { of: ComponentType<Props>; when: When } & Json<NoInfer<Props>>): ReactElement {
  const known = islands.get(of);
  if (!known) throw new TypeError(`${of.name} is no island: see scripts/build/island-names.ts`);
  const componentProps = props as unknown as Props;
  return createElement(
    'x-island',
    { ...known, when, props: JSON.stringify(componentProps) },
    createElement(of, componentProps),
  );
}
