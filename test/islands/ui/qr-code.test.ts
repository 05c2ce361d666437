import { expect, it } from 'vitest';
import { pictureOf } from '../../../islands/ui/qr-code.tsx';

it('qr code: accepts SVG text and data URLs', () => {
  expect(pictureOf('data:image/svg+xml;base64,AA')).toBe('data:image/svg+xml;base64,AA');
  expect(pictureOf('<svg a="#1"/>')).toBe('data:image/svg+xml,%3Csvg%20a%3D%22%231%22%2F%3E');
});
