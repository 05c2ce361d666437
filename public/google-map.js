// Runs in /google-map, a sandboxed frame: Google's script reaches neither the page's session nor its storage.
const { src } = document.currentScript.dataset;
const tell = (state) => parent.postMessage({ googleMap: state }, '*');

function draw({ lat, lng, accuracy, label }) {
  const center = { lat, lng };
  const { Map: GoogleMap, Circle, event } = google.maps;
  const options = { center, zoom: 15, maxZoom: 17, disableDefaultUI: true, zoomControl: true };
  const box = document.getElementById('map');
  box.setAttribute('aria-label', label);
  const map = new GoogleMap(box, { ...options, gestureHandling: 'cooperative' });
  const circle = { map, center, clickable: false, fillColor: '#c2410c', strokeColor: '#fff' };
  new Circle({ ...circle, radius: accuracy, fillOpacity: 0.18, strokeWeight: 0 });
  new Circle({ ...circle, radius: 12, fillOpacity: 1, strokeWeight: 3 });
  event.addListenerOnce(map, 'tilesloaded', () => tell('drawn'));
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.lat !== 'number') return;
  try {
    draw(data);
  } catch {
    tell('failed');
  }
});

// Google calls these two.
window.googleMapReady = () => tell('ready');
window.gm_authFailure = () => tell('failed');

const script = document.createElement('script');
script.src = src;
script.onerror = () => tell('failed');
document.head.append(script);
