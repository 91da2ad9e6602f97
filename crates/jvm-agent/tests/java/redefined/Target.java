class Target {
    int state = 5;

    int answer(int n) {
        int doubled = state * 2;
        return state = doubled + n;
    }

}
