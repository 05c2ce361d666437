import type { ReactNode } from 'react';
import styles from './qr-code.module.css';

/** An `img` source from SVG text or a data URL. */
export function pictureOf(picture: string): string {
  return picture.startsWith('data:')
    ? picture
    : `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** Pixels (specification). */
const side = 256;

type Props = {
  /** SVG or data URL; empty while loading. */
  picture: string;
  label: string;
  /** Shown while loading. */
  children?: ReactNode;
};

export function QrCode({ picture, label, children }: Props) {
  return (
    <div className={styles.box} aria-busy={picture ? undefined : true}>
      {picture ? <img src={pictureOf(picture)} width={side} height={side} alt={label} /> : children}
    </div>
  );
}
