import { create } from 'qrcode/lib/core/qrcode.js';

/** Of light modules around the code, as ISO/IEC 18004 wants four; two are enough on a white page. */
const margin = 2;

/** SVG of 256 × 256. The package's own entries would bring a PNG encoder, and every kind of segment. */
export function qrCode(text: string): string {
  const data = new Uint8ClampedArray(new TextEncoder().encode(text));
  const { modules } = create([{ mode: 'byte', data }], {});
  const { size } = modules;
  const rows = Array.from({ length: size }, (_, y) => {
    const row = [...modules.data.subarray(y * size, (y + 1) * size)].join('');
    return [...row.matchAll(/1+/g)]
      .map(({ 0: dark, index }) => `M${index + margin} ${y + margin}.5h${dark.length}`)
      .join('');
  });
  const whole = size + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 ${whole} ${whole}" shape-rendering="crispEdges"><path fill="#ffffff" d="M0 0h${whole}v${whole}H0z"/><path stroke="#000000" d="${rows.join('')}"/></svg>`;
}
