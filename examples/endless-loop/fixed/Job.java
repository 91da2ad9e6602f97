/** A document on its way through the printer. */
class Job {
    final String name;
    final int pagesPerSheet;
    int pagesLeft;
    int sheets;

    Job(String name, int pages, int pagesPerSheet) {
        this.name = name;
        this.pagesLeft = pages;
        this.pagesPerSheet = pagesPerSheet;
    }

    boolean isFinished() {
        return pagesLeft == 0;
    }
}
