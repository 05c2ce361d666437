interface Options {
  oneLinkURL: string;
  afParameters: { mediaSource: { keys: string[]; defaultValue: string } };
}

function generateOneLinkURL({ oneLinkURL, afParameters: { mediaSource } }: Options) {
  const query = new URLSearchParams(location.search);
  const [key = ''] = mediaSource.keys;
  const pid = query.get(key) ?? mediaSource.defaultValue;
  return { clickURL: `${oneLinkURL}?${new URLSearchParams({ af_js_web: 'true', pid })}` };
}

Object.assign(window, { AF_SMART_SCRIPT: { generateOneLinkURL } });
