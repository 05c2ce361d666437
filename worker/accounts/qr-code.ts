import { create } from 'qrcode/lib/core/qrcode.js';
import { render } from 'qrcode/lib/renderer/svg-tag.js';

/** SVG of 256 × 256. The package's own entry would bring a PNG encoder as well. */
export const qrCode = (text: string): string => render(create(text, {}), { width: 256, margin: 2 });
