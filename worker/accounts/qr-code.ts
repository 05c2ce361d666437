import QRCode from 'qrcode';

/** A text as a QR code of 256 pixels, SVG. */
export function qrCode(text: string): Promise<string> {
  return QRCode.toString(text, { type: 'svg', width: 256, margin: 2 });
}
