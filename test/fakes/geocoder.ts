const towns: Record<string, { lat: number; lng: number }> = {
  'New York, NY, US': { lat: 40.7127753, lng: -74.0059728 },
  'Berlin, DE': { lat: 52.5200066, lng: 13.404954 },
};

/** developers.google.com/maps/documentation/geocoding/requests-geocoding */
export async function geocoder(request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || pathname !== '/maps/api/geocode/json') return null;
  if (!searchParams.get('key')) {
    return Response.json({ status: 'REQUEST_DENIED', results: [], error_message: 'No key.' });
  }
  const address = searchParams.get('address') ?? '';
  const location = towns[address];
  if (!location) return Response.json({ status: 'ZERO_RESULTS', results: [] });
  const geometry = { location, location_type: 'APPROXIMATE' };
  return Response.json({ status: 'OK', results: [{ formatted_address: address, geometry }] });
}
