import { create } from 'qrcode/lib/core/qrcode.js';
import { render } from 'qrcode/lib/renderer/svg-tag.js';

/** SVG of 256 × 256. The package's own entry would bring a PNG encoder as well. */
export function qrCode(text: string): string {
  const data = new TextEncoder().encode(text);
  return render(create([{ data, mode: 'byte' }], {}), { width: 256, margin: 2 });
}
