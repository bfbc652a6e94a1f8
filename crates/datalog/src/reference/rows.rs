//! The rows of a relation and indices to find them by some of their columns.

/// The value of a column: an integer, the bits of a float, or the number of a symbol.
pub type Word = i64;

/// The position of a row in its relation, in insertion order.
pub type RowNumber = u32;

/// The set of rows of one relation.
#[derive(Clone, Debug)]
pub struct Rows {
    arity: usize,
    words: Vec<Word>,
    count: RowNumber,
    /// The first index covers all columns; the others were added by plans.
    indices: Vec<Index>,
    /// The number of rows at the end of each round.
    rounds: Vec<RowNumber>,
}

/// A hash index over some columns. Each bucket is a chain from the newest row to the oldest.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    /// For each bucket, one more than the number of its newest row, or zero. The number of buckets is a power of two.
    newest: Vec<RowNumber>,
    /// For each row, one more than the number of the next older one in its bucket, or zero.
    older: Vec<RowNumber>,
}

/// Identifies an index of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexNumber(usize);

impl Rows {
    /// Creates an empty relation with this many columns.
    pub fn new(arity: usize) -> Rows {
        let whole = Index::new((0..arity).collect());
        Rows { arity, words: Vec::new(), count: 0, indices: vec![whole], rounds: Vec::new() }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> RowNumber {
        self.count
    }

    /// Returns a row by its number.
    pub fn row(&self, number: RowNumber) -> &[Word] {
        let start = number as usize * self.arity;
        &self.words[start..start + self.arity]
    }

    /// Adds a row. Returns false if it was there already.
    pub fn insert(&mut self, row: &[Word]) -> bool {
        let whole = IndexNumber(0);
        if self.chain(whole, row).any(|number| self.row(number) == row) {
            return false;
        }
        self.words.extend_from_slice(row);
        self.count += 1;
        for place in 0..self.indices.len() {
            self.add_to_index(place, self.count - 1);
        }
        true
    }

    /// Returns the number of a row if it exists.
    pub fn find(&self, row: &[Word]) -> Option<RowNumber> {
        self.chain(IndexNumber(0), row).find(|number| self.row(*number) == row)
    }

    /// Returns an index over some columns, creating it if necessary. The columns are ascending and not empty.
    pub fn index_by(&mut self, columns: &[usize]) -> IndexNumber {
        if let Some(known) = self.indices.iter().position(|index| index.columns == columns) {
            return IndexNumber(known);
        }
        self.indices.push(Index::new(columns.to_vec()));
        let place = self.indices.len() - 1;
        (0..self.count).for_each(|number| self.add_to_index(place, number));
        IndexNumber(place)
    }

    /// Iterates over the rows in the bucket of a key, newest first. Some may have a different key.
    pub fn chain(&self, index: IndexNumber, key: &[Word]) -> impl Iterator<Item = RowNumber> + '_ {
        let index = &self.indices[index.0];
        let mut next = index.newest[index.bucket(hash(key.iter().copied()))];
        std::iter::from_fn(move || {
            let number = next.checked_sub(1)?;
            next = index.older[number as usize];
            Some(number)
        })
    }

    /// Returns true if a row has this key in the columns of an index.
    pub fn has(&self, index: IndexNumber, number: RowNumber, key: &[Word]) -> bool {
        let row = self.row(number);
        self.indices[index.0].columns.iter().zip(key).all(|(column, word)| row[*column] == *word)
    }

    /// Ends a round of evaluation.
    pub fn end_round(&mut self) {
        self.rounds.push(self.count);
    }

    /// Returns the round that added a row.
    pub fn round_of(&self, number: RowNumber) -> usize {
        self.rounds.partition_point(|count| *count <= number)
    }

    /// Returns the number of rows that existed before a round.
    pub fn count_before(&self, round: usize) -> RowNumber {
        round.checked_sub(1).map_or(0, |last| self.rounds.get(last).copied().unwrap_or(self.count))
    }

    fn add_to_index(&mut self, place: usize, number: RowNumber) {
        let index = &self.indices[place];
        if number as usize >= index.newest.len() {
            self.grow(place);
        }
        let key = hash(self.indices[place].columns.iter().map(|column| self.row(number)[*column]));
        let index = &mut self.indices[place];
        let bucket = index.bucket(key);
        index.older.push(index.newest[bucket]);
        index.newest[bucket] = number + 1;
    }

    /// Doubles the number of buckets of an index.
    fn grow(&mut self, place: usize) {
        let mut grown = Index::new(std::mem::take(&mut self.indices[place].columns));
        let rows = self.indices[place].older.len();
        grown.newest = vec![0; self.indices[place].newest.len() * 2];
        for number in 0..rows as RowNumber {
            let bucket = grown.bucket(hash(grown.columns.iter().map(|column| self.row(number)[*column])));
            grown.older.push(grown.newest[bucket]);
            grown.newest[bucket] = number + 1;
        }
        self.indices[place] = grown;
    }
}

impl Index {
    fn new(columns: Vec<usize>) -> Index {
        Index { columns, newest: vec![0; 8], older: Vec::new() }
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.newest.len() - 1)
    }
}

/// Hashes words. The upper half of the result is well distributed.
fn hash(words: impl Iterator<Item = Word>) -> u64 {
    let mut state = 0u64;
    for word in words {
        state = (state.rotate_left(5) ^ word.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    state
}
