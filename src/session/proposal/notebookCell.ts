/** A cell that NotebookEdit is about. */
export interface NotebookCell {
  readonly mode: 'replace' | 'insert' | 'delete';
  /** The cell's place in the notebook, from 0; for `insert` the place the new one gets. */
  readonly index: number;
  readonly cellType: string;
  /** The source before; absent for a new cell. */
  readonly source?: string;
}

export type CellProblem = 'notANotebook' | 'cellNotFound';

interface RawCell {
  readonly id?: unknown;
  readonly cell_type?: unknown;
  readonly source?: unknown;
}

interface CellRequest {
  readonly cellId: string | undefined;
  readonly mode: NotebookCell['mode'];
  readonly cellType: string | undefined;
}

/**
 * Finds the cell as the CLI does: by its id, else `cell-N` by its place from 0. A new cell goes behind the named one, or to
 * the front when none is named. Replacing also empties the outputs; the source is written as one string.
 */
export function findCell(notebook: string, request: CellRequest): NotebookCell | CellProblem {
  const cells = cellsOf(notebook);
  if (cells === undefined) return 'notANotebook';
  const { cellId, mode, cellType } = request;
  const named = cellId === undefined ? -1 : indexOf(cells, cellId);
  if (mode === 'insert') {
    if (cellId !== undefined && named < 0) return 'cellNotFound';
    return { mode, index: named + 1, cellType: cellType ?? 'code' };
  }
  const cell = cells[named];
  if (cell === undefined) return 'cellNotFound';
  const own = typeof cell.cell_type === 'string' ? cell.cell_type : 'code';
  return { mode, index: named, cellType: cellType ?? own, source: sourceOf(cell) };
}

function indexOf(cells: readonly RawCell[], id: string): number {
  const byId = cells.findIndex(cell => cell.id === id);
  if (byId >= 0) return byId;
  const place = /^cell-(\d+)$/.exec(id)?.[1];
  return place === undefined || Number(place) >= cells.length ? -1 : Number(place);
}

function sourceOf({ source }: RawCell): string {
  if (Array.isArray(source)) return source.filter(part => typeof part === 'string').join('');
  return typeof source === 'string' ? source : '';
}

function cellsOf(notebook: string): RawCell[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(notebook);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null || !('cells' in parsed) || !Array.isArray(parsed.cells)) {
    return undefined;
  }
  return parsed.cells.map((cell: unknown) => (typeof cell === 'object' && cell !== null ? cell : {}));
}
