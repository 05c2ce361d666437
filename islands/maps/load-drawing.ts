import { type AreaDrawing, areaFile, drawingAt, type Point } from './area-drawing.ts';

/** Loads a map by name; null when it does not exist or fails to load. */
export async function drawingOf(name: string): Promise<AreaDrawing | null> {
  try {
    const response = await fetch(areaFile(name));
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

export const drawingAround = (point: Point): Promise<AreaDrawing | null> =>
  drawingOf(drawingAt(point));
