import styles from './city-map.module.css';

/** The map of every scene: blocks, river, parks, avenues. */
function City() {
  return (
    <>
      <pattern
        id="streets"
        width="188"
        height="150"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-16)"
      >
        <path
          fill="none"
          stroke="var(--street)"
          strokeWidth="2"
          d="M0 18H188M0 62H112M40 106H188M22 0V150M72 18V150M112 0V62M152 18V150"
        />
      </pattern>
      <g id="city">
        <path fill="var(--land)" d="M-400-60H999V960H-400z" />
        <path
          fill="var(--park)"
          d="M40 120l120-36 34 104-124 40zM470 640l150-44 40 150-130 40zM250 420l84-24 22 70-86 26z"
        />
        <path fill="url(#streets)" d="M-400-60H999V960H-400z" />
        <path
          fill="none"
          stroke="var(--water)"
          strokeWidth="64"
          d="M999 0C560 110 470 190 505 320S400 560 270 620 110 760 70 960"
        />
        <path
          fill="none"
          stroke="var(--street)"
          strokeWidth="7"
          d="M-400 380C120 300 260 270 999 80M150-60C190 200 330 520 560 960M-400 520C200 590 420 470 999 490"
        />
      </g>
    </>
  );
}

/** The city that all scenes reuse; tablets show it around the card, paper does not. */
export function Backdrop() {
  return (
    <svg
      className={styles.backdrop}
      viewBox="0 0 640 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <City />
    </svg>
  );
}

/** A decorative map section, 220 px high, behind other content. */
export function MapTile() {
  return (
    <svg
      className={styles.tile}
      viewBox="150 250 343 220"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <use href="#city" />
    </svg>
  );
}
