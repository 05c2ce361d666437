import type { ReactNode } from 'react';
import styles from './qr-code.module.css';

/** What an `img` shows for a picture that comes as SVG text or as a data URL already. */
export function pictureOf(picture: string): string {
  return picture.startsWith('data:')
    ? picture
    : `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** Side of the picture in px, as the specification has it. */
const side = 256;

type Props = {
  /** SVG or data URL; empty before it is there. */
  picture: string;
  label: string;
  /** What stands in the box meanwhile. */
  children?: ReactNode;
};

/** A QR code in a box of its size, so that nothing moves when it comes. */
export function QrCode({ picture, label, children }: Props) {
  return (
    <div className={styles.box} aria-busy={picture ? undefined : true}>
      {picture ? <img src={pictureOf(picture)} width={side} height={side} alt={label} /> : children}
    </div>
  );
}
