import { expect, it, vi } from 'vitest';
import { layOutNextScreen } from '../../../../islands/runtime/navigation/lay-out-next-screen.ts';
import { documentWith, element, openPage } from '../../dom.ts';

/** This page, whose created elements have a recorded shadow root. */
function open() {
  const { document } = openPage(documentWith(element('main')));
  const stage = element('div');
  const host = Object.assign(element('div'), { style: {} as { cssText: string } });
  const attachShadow = vi.fn(() => stage);
  Object.assign(host, { attachShadow });
  const laidOut = vi.fn(() => expect(host.isConnected).toBe(true));
  const importNode = vi.fn(() =>
    Object.assign(element('main'), { getBoundingClientRect: laidOut }),
  );
  Object.assign(document, { createElement: () => host, importNode });
  return { document, stage, host, laidOut, attachShadow, importNode };
}

it('prerender: lays out the next screen invisibly, with its own CSS, and removes it', () => {
  const { stage, host, laidOut, attachShadow, importNode } = open();
  const copy = element('style');
  const style = Object.assign(element('style', { 'data-css': '' }), { cloneNode: () => copy });
  const page = documentWith(element('main'), { 'data-fonts': 'Cairo' }, style);
  layOutNextScreen(page as never);
  expect(importNode).toHaveBeenCalledWith(page.querySelector('main'), true);
  expect(laidOut).toHaveBeenCalledOnce();
  expect(attachShadow).toHaveBeenCalledWith({ mode: 'closed' });
  expect(stage.children[0]).toBe(copy);
  expect(stage.children[1]?.matches('main[data-fresh]')).toBe(true);
  expect(host.style.cssText).toContain('visibility:hidden');
  expect(host.style.cssText).toContain('--font:Cairo');
  expect(host.isConnected).toBe(false);
});

it('prerender: a page without fonts inherits them; one without a screen is ignored', () => {
  const { host, laidOut } = open();
  layOutNextScreen(documentWith(element('main')) as never);
  expect(host.style.cssText).toContain('--font:inherit');
  layOutNextScreen(documentWith(element('div')) as never);
  expect(laidOut).toHaveBeenCalledOnce();
});
