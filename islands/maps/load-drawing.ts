import { type AreaDrawing, areaFile, drawingAt, type Point } from './area-drawing.ts';

/** A map that the build drew, by its name; null when there is none, or it does not come. */
export async function drawingOf(name: string): Promise<AreaDrawing | null> {
  try {
    const response = await fetch(areaFile(name));
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** The map around a point. */
export const drawingAround = (point: Point): Promise<AreaDrawing | null> =>
  drawingOf(drawingAt(point));
