interface Props {
  screen: string;
  /** Preview token; without one there is no picture. */
  frame: string;
}

/** A small picture of a screen, drawn by the real page without its scripts. */
export const Thumbnail = ({ screen, frame }: Props) =>
  frame && (
    <div className="thumbnail">
      <iframe
        src={`/${screen}?frame=${frame}`}
        title={screen}
        loading="lazy"
        sandbox="allow-same-origin"
        tabIndex={-1}
      />
    </div>
  );
