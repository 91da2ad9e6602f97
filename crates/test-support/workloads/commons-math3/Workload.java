import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.integration.SimpsonIntegrator;
import org.apache.commons.math3.analysis.interpolation.SplineInterpolator;
import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.complex.Complex;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.random.MersenneTwister;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/** Linear algebra (LU above all), transforms, functions and statistics. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + decompositions(40, round);
            checksum = checksum * 31 + transform(256);
            checksum = checksum * 31 + functions(round);
            checksum = checksum * 31 + statistics(round);
        }
        System.out.println("checksum " + checksum);
        try {
            new LUDecomposition(new Array2DRowRealMatrix(3, 3)).getSolver().getInverse();
        } catch (SingularMatrixException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static long decompositions(int size, int seed) {
        RealMatrix matrix = new Array2DRowRealMatrix(size, size);
        MersenneTwister random = new MersenneTwister(seed);
        RealVector right = new ArrayRealVector(size);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                matrix.setEntry(i, j, random.nextInt(19) - 9 + (i == j ? size : 0));
            }
            right.setEntry(i, i % 5);
        }
        LUDecomposition lu = new LUDecomposition(matrix);
        RealVector byLu = lu.getSolver().solve(right);
        RealMatrix product = lu.getL().multiply(lu.getU()).subtract(lu.getP().multiply(matrix));
        RealVector byQr = new QRDecomposition(matrix).getSolver().solve(right);
        RealMatrix symmetric = matrix.getSubMatrix(0, 9, 0, 9);
        symmetric = symmetric.add(symmetric.transpose());
        double[] eigenvalues = new EigenDecomposition(symmetric).getRealEigenvalues();
        return rounded(byLu.getNorm()) * 31 + rounded(byQr.getNorm()) + rounded(product.getNorm())
            + rounded(eigenvalues[0]);
    }

    static long transform(int size) {
        double[] signal = new double[size];
        for (int i = 0; i < size; i++) {
            signal[i] = i % 16 < 8 ? 1 : -1;
        }
        FastFourierTransformer transformer = new FastFourierTransformer(DftNormalization.STANDARD);
        Complex[] spectrum = transformer.transform(signal, TransformType.FORWARD);
        double sum = 0;
        for (Complex value : spectrum) {
            sum += value.multiply(value.conjugate()).abs();
        }
        return rounded(sum);
    }

    static long functions(int seed) {
        PolynomialFunction cubic = new PolynomialFunction(new double[] {-5 - seed % 3, 2, 0, 1});
        double root = new BrentSolver(1e-10).solve(200, cubic, 0, 4);
        UnivariateFunction curve = x -> Math.sqrt(x) + cubic.value(x);
        double area = new SimpsonIntegrator().integrate(100_000, curve, 0.5, 2);
        double[] xs = {0, 1, 2, 3, 4, 5};
        double[] ys = {1, 3, 2, 5, 4, seed % 7};
        double spline = new SplineInterpolator().interpolate(xs, ys).value(2.5);
        return rounded(root) * 31 + rounded(area) + rounded(spline);
    }

    static long statistics(int seed) {
        DescriptiveStatistics statistics = new DescriptiveStatistics();
        SimpleRegression regression = new SimpleRegression();
        MersenneTwister random = new MersenneTwister(seed + 1);
        for (int i = 0; i < 300; i++) {
            double value = random.nextInt(1000) / 10.0;
            statistics.addValue(value);
            regression.addData(i, 2 * i + value);
        }
        return rounded(statistics.getPercentile(90)) * 31 + rounded(statistics.getKurtosis())
            + rounded(regression.getSlope());
    }

    /** Few enough digits to be the same on every machine. */
    static long rounded(double value) {
        return Math.round(value * 1e4);
    }
}
