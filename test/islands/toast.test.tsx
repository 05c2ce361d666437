import { expect, it } from 'vitest';
import Toast from '../../islands/toast.tsx';
import { htmlOf, text } from './html.tsx';

it('is closed and empty, and brings the loader’s own sentence', () => {
  const html = htmlOf(<Toast text={text.toast} />);
  expect(html).toMatch(/<div[^>]*popover="manual"[^>]*role="alert"/);
  expect(html).toContain(`data-late="${text.toast.late}"`);
  expect(html).not.toContain('data-open');
  expect(html).toContain('aria-label="Close"');
});
